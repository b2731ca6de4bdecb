import { request as requestByHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as requestByHttps } from "node:https";

/** One request on its way, as axios' `transport`: it knows whether any of the request can have arrived. */
export class Dispatch {
  private hasConnection = false;

  /** False if there never was a connection: then the request surely did not happen. */
  get mayHaveArrived(): boolean {
    return this.hasConnection;
  }

  request(options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest {
    const isSecure = options.protocol === "https:";
    const request = (isSecure ? requestByHttps : requestByHttp)(options, onAnswer);
    request.once("socket", (socket) => {
      const connected = () => (this.hasConnection = true);
      // Nothing is sent before the handshake is done.
      if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", connected);
      else connected();
    });
    return request;
  }
}
