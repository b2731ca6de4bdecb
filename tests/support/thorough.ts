/** Whether the random models are played in full, as by `npm run models`; `npm test` plays a sample of each. */
export const isThorough = process.env["TESTS"] !== "first";
