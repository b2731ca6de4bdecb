/** Whether a request is to make something: a log is asked for with a POST too. */
export const makes = (method: string, path: string): boolean => method === "POST" && !path.endsWith("_logs");
