"""The name under which outputs of cells carry what the report needs to know of them."""

MARK = "lib2048"  # in the metadata of an output
