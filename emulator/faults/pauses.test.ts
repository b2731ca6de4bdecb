import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { unanswered } from "../base/exchange";
import { Pauses } from "./pauses";

test("4096 requests are kept waiting, even those whose clients have left, and one more is cut off", async () => {
  const pauses = new Pauses();
  const exchange = () => ({ outgoing: new ServerResponse(new IncomingMessage(new Socket())) });
  const waiting = Array.from({ length: 4096 }, () => pauses.hold(exchange(), new Set()));
  const late = exchange();
  expect(await pauses.hold(late, new Set())).toBe(unanswered);
  expect(late.outgoing.destroyed).toBe(true);
  pauses.cutAll();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([unanswered]));
});
