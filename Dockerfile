# `npm run pack` makes the package that is installed here: docker build -t parley-hub .
FROM node:24-slim

COPY dist/parley-hub-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/parley-hub-*.tgz \
  && rm -rf /tmp/parley-hub-*.tgz /root/.npm \
  && install --directory --owner node --group node --mode 700 /data

USER node
ENV PARLEY_DATA=/data
VOLUME /data
EXPOSE 4117
# By its socket, so that neither address nor tokens matter.
HEALTHCHECK --start-period=5s CMD ["parley", "status"]
ENTRYPOINT ["parley"]
# Others than the container itself reach it, so that it wants a token: parley token create NAME --role human
CMD ["serve", "--host", "0.0.0.0", "--port", "4117"]
