"""Coverage: does this text convey that content point, and by which of its words?"""
