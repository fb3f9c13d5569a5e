"""Knowledge of Japanese and English text that needs no model: folding, n-grams, times, names."""
