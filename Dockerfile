# Tunemate in a container: `docker build -t tunemate .`
# Web app and server are built with everything; the image then holds both, what is compiled for the machine, and Node.

FROM node:24-trixie-slim AS manifests
WORKDIR /srv/tunemate
COPY package.json package-lock.json .npmrc ./
COPY playback/package.json playback/
COPY protocol/package.json protocol/
COPY domain/package.json domain/
COPY server/package.json server/
COPY web/package.json web/
COPY testkit/package.json testkit/
COPY e2e/package.json e2e/
COPY bench/package.json bench/

FROM manifests AS built
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/toolchain/write-web.mjs && node scripts/toolchain/write-server.mjs
# What both are made of and with, as CycloneDX: programs and pages are bundled from packages of development.
RUN npm sbom --sbom-format cyclonedx --package-lock-only --workspace server --workspace web > sbom.cdx.json

FROM manifests AS modules
RUN npm ci --omit=dev --workspace=server --no-audit --no-fund

FROM node:24-trixie-slim AS tunemate
WORKDIR /srv/tunemate
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MEDIA_DIR=/music
LABEL org.opencontainers.image.title="Tunemate" \
  org.opencontainers.image.description="Listening to music and watching videos together" \
  org.opencontainers.image.licenses="MIT" \
  tunemate.volume.data="/data: database, pictures, backups; owned by uid 1000" \
  tunemate.volume.music="/music: your music and films, read-only; without it the included library plays"
# Everything, because npm puts some packages beside their workspace.
COPY --from=modules /srv/tunemate ./
COPY library library
# Where a folder of the operator's is mounted. No VOLUME: each container would leave a copy of this behind.
COPY library /music
COPY --from=built /srv/tunemate/server/dist server/dist
COPY --from=built /srv/tunemate/web/dist web/dist
COPY --from=built /srv/tunemate/sbom.cdx.json ./
# It decodes voice messages, and copies tracks that browsers seek inexactly.
RUN apt-get update && apt-get install --yes --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
# `docker compose exec tunemate tunemate people find ann`
RUN printf '#!/bin/sh\nexec node --disable-proto=delete /srv/tunemate/server/dist/operate.js "$@"\n' > /usr/local/bin/tunemate \
  && chmod 755 /usr/local/bin/tunemate \
  && mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 3000
# Generous: on a slow disk Node alone takes seconds to start.
HEALTHCHECK --interval=30s --timeout=20s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-proto=delete", "--max-http-header-size=16384", "--max-semi-space-size=16", "server/dist/main.js"]

# The same with pg_dump and pg_restore, which backups of PostgreSQL need: `docker build --target cluster .`
FROM tunemate AS cluster
USER root
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
USER node

# What `docker build .` makes.
FROM tunemate
