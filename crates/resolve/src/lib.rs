//! Items and uses of all files to edges with tier and evidence.
