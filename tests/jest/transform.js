const { default: tsJest } = require("ts-jest");

/** ts-jest, but what is compiled serves each kind of run: its key of the cache names the whole project, with what is played and how. */
module.exports = {
  createTransformer: (options) => {
    const transformer = tsJest.createTransformer(options);
    const { getCacheKey } = transformer;
    const alike = { roots: [], setupFiles: [], testRegex: [] };
    transformer.getCacheKey = (text, path, given) =>
      getCacheKey(text, path, { ...given, config: { ...given.config, ...alike } });
    return transformer;
  },
};
