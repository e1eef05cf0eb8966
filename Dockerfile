# The platform as an image: compiled, with production packages only, as an unprivileged user.
#   docker build -t cais .
# Where no registry can be reached, the base images that Cais makes by itself do the same:
#   docker build -t cais --build-arg BUILD_IMAGE=cais/node-build:20 --build-arg RUN_IMAGE=cais/node:20 .
ARG BUILD_IMAGE=node:20-bookworm
ARG RUN_IMAGE=node:20-bookworm-slim

FROM ${BUILD_IMAGE} AS packages
WORKDIR /cais
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && cp -r node_modules /production && npm ci

FROM packages AS build
COPY tsconfig.json tsconfig.build.json ./
COPY machines machines
COPY db db
COPY src src
RUN npm run build

FROM ${RUN_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /cais
COPY --from=packages --chown=10001:10001 /production node_modules
COPY --from=build /cais/dist dist
COPY package.json ./
# The embedded PostgreSQL wants its account to have a name.
RUN grep -q ':10001:' /etc/passwd || printf 'cais:x:10001:10001::/data:/bin/sh\n' >> /etc/passwd
RUN mkdir /data && chown 10001:10001 /data && mkdir -p /usr/local/bin \
 && printf '#!/bin/sh\nexec node /cais/dist/src/cli/cais.mjs "$@"\n' > /usr/local/bin/cais && chmod 755 /usr/local/bin/cais
# The API and the workers need no privilege. The data plane (router, packet filter, tenant databases) changes the host's
# networking: to run it from this image, use --user 0 --network host --cap-add NET_ADMIN and mount the Docker socket.
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/cli/cais.mjs"]
CMD ["serve"]
