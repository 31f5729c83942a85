//! A whole turn against a real server, where the environment names one.
