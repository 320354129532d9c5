"""What a question asks, and what of all that was found answers it; pure decisions."""
