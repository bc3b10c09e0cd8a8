"""Answers: has the question that was heard been answered by this reply?"""
