//! Where does it live?
