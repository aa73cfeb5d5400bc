"""The documentation site: pages made from the code, and what MkDocs needs to fit them in.

`hooks` is what mkdocs.yml names; every other module makes one kind of page as Markdown.
"""
