import { jsonText } from "../base/printable";
import type { Style } from "../base/style";
import { markdown } from "./markdown";
import type { Review } from "./review";
import { terminal } from "./terminal";

/** The formats of a review; each gives the whole text, with a line end. */
export const REVIEW_FORMATS = {
  text: terminal,
  markdown: (review: Review): string => markdown(review),
  json: jsonText,
} as const satisfies Record<string, (review: Review, style: Style) => string>;
