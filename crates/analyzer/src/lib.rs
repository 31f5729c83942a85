//! rust-analyzer: where it is, and what its SCIP index says.
