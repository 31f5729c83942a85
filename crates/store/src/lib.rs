//! The database: relations, Datalog, time travel. The only room that knows `mnestic`.
