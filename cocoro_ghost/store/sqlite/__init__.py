"""The engine everybody uses: three SQLite files in one directory, opened through apsw."""
