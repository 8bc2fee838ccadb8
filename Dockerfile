# promo in a container, for jobs and CI. Only /data is written, so the root file system may be read-only:
#   docker build -t promo .
#   docker run --rm --read-only -v promo:/data promo vouchers list --profile sandbox
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund \
  && npm pack --ignore-scripts --pack-destination /tmp \
  && npm install --global --prefix /opt/promo --ignore-scripts --no-audit --no-fund /tmp/promo-*.tgz

FROM node:24-slim
COPY --from=build /opt/promo /opt/promo
# The settings, the jobs, the embedded service and compiled code are in the volume, which only its user can enter.
ENV PATH=/opt/promo/bin:$PATH \
  HOME=/data \
  PROMO_CONFIG_DIR=/data/config \
  PROMO_STATE_DIR=/data/state \
  XDG_CACHE_HOME=/data/cache
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
VOLUME /data
WORKDIR /data
ENTRYPOINT ["promo"]
