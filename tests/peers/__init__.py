"""Arrays of other libraries, put before ``verify``: none of them is to be called different."""
