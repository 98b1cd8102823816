"""What the whole report concludes."""
