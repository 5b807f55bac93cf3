// SignetReader
