"""Tournaments, from the announcement to the last board.

reading     a tournament as it is stored
deciding    making one, coming and going, its start and its end
telling     how it stands, for those who look
rounds      how it goes on by itself
"""
