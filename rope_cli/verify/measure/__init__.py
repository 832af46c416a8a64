"""What two arrays hold: the rotations, gains and positions that can be measured in them."""
