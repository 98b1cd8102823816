# JupyterLab on the notebooks:
#   docker build -t errorest . && docker run --rm -p 8888:8888 errorest
FROM python:3.12-slim

# pages name the state of the tree, which git tells
RUN apt-get update && apt-get install -y --no-install-recommends git make && rm -rf /var/lib/apt/lists/*

RUN useradd --create-home --uid 1000 reader
COPY --chown=reader . /home/reader/errorest
USER reader
WORKDIR /home/reader/errorest
RUN python -m venv .venv && .venv/bin/python -m pip install --no-cache-dir -e '.[book,dask,lab]'

EXPOSE 8888
CMD [".venv/bin/jupyter", "lab", "--ip=*", "--no-browser", "--notebook-dir=notebooks"]
