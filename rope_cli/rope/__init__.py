"""The mathematics of the report: arrays in, arrays out, in the chapter's letters."""
