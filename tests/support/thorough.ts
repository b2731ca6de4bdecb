/** Whether the random models are played in full; `npm test` plays a sample of each. */
export const isThorough = process.env["TESTS"] !== "first";
