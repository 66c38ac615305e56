//! The binary: how do the parts meet?
