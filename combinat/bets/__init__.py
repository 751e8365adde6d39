"""What a bet's file says: pays, awards, paytables, how meters are run; and the catalog of files."""
