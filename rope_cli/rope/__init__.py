"""The mathematics of the report: arrays in, arrays out, in the chapter's letters."""

import numpy as np

# BLAS takes its working memory at the first product, and where it gets none it ends the process
# with an exit code of its own. So this product comes before anything else takes memory, whose lack
# is an error that can be told.
_square = np.ones((128, 128))
_ = _square @ _square
