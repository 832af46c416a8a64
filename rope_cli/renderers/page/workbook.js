// The page as a workbook. Without this script everything is on the page, folded or open.
"use strict";
