//! Keeps the map of a workspace true: read, parse, resolve, write.
