// Reading the page: the contents show where one is, everything is open in print or the questions
// are printed alone, and tables that are cards on a narrow screen stay tables for those who listen.
"use strict";

(() => {
  const contents = document.querySelector("nav details");
  if (contents) {
    // Beside the text where there is room, else folded.
    const beside = matchMedia("(min-width: 64rem)");
    const fold = () => { contents.open = beside.matches; };
    fold();
    beside.addEventListener("change", fold);
    const links = new Map([...contents.querySelectorAll("a")].map(link => [link.hash, link]));
    const mark = here => {
      for (const link of links.values()) link.removeAttribute("aria-current");
      const link = links.get(`#${here.id}`);
      if (!link) return;
      link.setAttribute("aria-current", "location");
      // The list scrolls by itself, never the page.
      const list = contents.parentElement, place = link.offsetTop - list.clientHeight / 2;
      if (beside.matches) list.scrollTop = Math.max(0, place);
    };
    const watcher = new IntersectionObserver(
      entries => entries.filter(each => each.isIntersecting).forEach(each => mark(each.target)),
      {rootMargin: "-20% 0px -75% 0px"});
    for (const section of document.querySelectorAll("main > section")) watcher.observe(section);
  }

  // A link to something folded opens it.
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let each = target; each; each = each.parentElement)
      if (each.matches("details")) each.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();

  for (const button of document.querySelectorAll(".print"))
    button.addEventListener("click", () => {
      document.body.classList.toggle("questions-only", button.matches(".questions"));
      print();
    });
  const tools = document.querySelector(".tools");
  if (tools) tools.hidden = false;

  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const each of folded) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
    document.body.classList.remove("questions-only");
  });

  for (const table of document.querySelectorAll("table.cards")) {
    table.setAttribute("role", "table");
    for (const [selector, role] of [["thead, tbody", "rowgroup"], ["tr", "row"],
      ["td", "cell"], ["th[scope=col]", "columnheader"], ["th[scope=row]", "rowheader"]])
      for (const each of table.querySelectorAll(selector)) each.setAttribute("role", role);
  }
})();
