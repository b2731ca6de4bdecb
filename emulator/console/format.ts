/** How something looks; its name always stands beside it. */
export type Tone = "good" | "bad" | "warn" | "idle" | "busy";

/** A duration in the shortest words that tell two apart: "0.3 s", "12 s", "3 min 20 s", "51 min". */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Day and time: "2026-11-22 14:02:11". The Swedish write them so. */
export const moment = (at: number): string => new Date(at).toLocaleString("sv-SE");

export function toneOf(status: string): Tone {
  if (status === "DEPLOYED" || status === "READY") return "good";
  if (status.endsWith("_FAILED")) return "bad";
  if (["SKIPPED", "AWAITING_DELETE", "UNKNOWN", "INTERRUPTED"].includes(status)) return "idle";
  return "busy";
}

/** How the answer to a request looks: idle while there is none. */
export function toneOfAnswer(status: number | null): Tone {
  if (status === null) return "idle";
  if (status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}
