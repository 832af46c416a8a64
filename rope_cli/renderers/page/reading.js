// Reading the page: the contents show where one is, everything is open in print, and tables that
// are cards on a narrow screen stay tables for those who listen to them.
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
      links.get(`#${here.id}`)?.setAttribute("aria-current", "location");
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

  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    document.documentElement.classList.add("printing");
    for (const each of folded) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
    document.documentElement.classList.remove("printing");
  });

  for (const table of document.querySelectorAll("table.cards")) {
    table.setAttribute("role", "table");
    for (const [selector, role] of [["thead, tbody", "rowgroup"], ["tr", "row"],
      ["td", "cell"], ["th[scope=col]", "columnheader"], ["th[scope=row]", "rowheader"]])
      for (const each of table.querySelectorAll(selector)) each.setAttribute("role", role);
  }
})();
