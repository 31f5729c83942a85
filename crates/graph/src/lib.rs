//! What is connected to what: item table, adjacency, traversals. Bytes in, bytes out.
