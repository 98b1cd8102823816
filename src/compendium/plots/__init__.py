"""How the book's figures are laid out before they are saved."""
