module pypto-ls

go 1.26
