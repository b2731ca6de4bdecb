/** Whether the random models are played in full, as `npm run test:rest` does; `npm test` plays a sample of each. */
export const isThorough = process.env["TESTS"] !== undefined;
