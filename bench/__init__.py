"""Speed, printed as ratios that hold on any machine; never a timed test."""
