# promo in a container, for jobs and CI. Only /data is written, so the root file system may be read-only. Without a command it
# serves the sandbox on port 8099, with the keys in PROMO_SANDBOX_KEYS (docs/sandbox-for-tests.md):
#   docker build -t promo .
#   docker run --rm --read-only -v promo:/data -e PROMO_SANDBOX_KEYS -p 127.0.0.1:8099:8099 promo
#   docker run --rm --read-only -v promo:/data promo vouchers list --profile sandbox
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund \
  && npm run package -- --only npm --out /tmp \
  && npm install --global --prefix /opt/promo --ignore-scripts --no-audit --no-fund /tmp/promo-*.tgz

FROM node:24-slim
COPY --from=build /opt/promo /opt/promo
# The settings, the jobs, the embedded service and compiled code are in the volume, which only its user can enter.
ENV PATH=/opt/promo/bin:$PATH \
  HOME=/data \
  PROMO_CONFIG_DIR=/data/config \
  PROMO_STATE_DIR=/data/state \
  PROMO_SANDBOX_HOST=0.0.0.0 \
  PROMO_SANDBOX_PORT=8099
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
VOLUME /data
WORKDIR /data
EXPOSE 8099
HEALTHCHECK --interval=5s --start-period=5s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PROMO_SANDBOX_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["promo"]
CMD ["sandbox", "start", "--allow-host", "promo", "--allow-host", "localhost"]
