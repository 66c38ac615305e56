//! How does an agent ask, over MCP?
