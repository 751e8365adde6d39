// Requests to the server: newer requests replace older ones, and every failure is one line of text.

import { pointerReleased } from "./dom.js";

const pageNumbers = crypto.getRandomValues(new Uint32Array(4));
const page = Array.from(pageNumbers, (number) => number.toString(36)).join(""); // identifies this page

const NO_SERVER = "the studio does not answer; is combinat studio still running?";

export class RequestError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function post(path, body) {
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", page },
      body: JSON.stringify(body),
    });
  } catch {
    throw new RequestError(0, NO_SERVER);
  }
}

async function errorOf(response) {
  let message = `the studio answered ${response.status}`;
  try {
    message = (await response.json()).error ?? message;
  } catch {
    // the response is not JSON
  }
  return new RequestError(response.status, message);
}

/** Get JSON or text. */
export async function get(path) {
  let response;
  try {
    response = await fetch(path);
  } catch {
    throw new RequestError(0, NO_SERVER);
  }
  if (!response.ok) throw await errorOf(response);
  return response.headers.get("content-type").startsWith("application/json") ? response.json() : response.text();
}

/** Request a file; return its name, type and content. */
export async function requestFile(path, body) {
  const response = await post(path, body);
  if (!response.ok) throw await errorOf(response);
  const name = decodeURIComponent(response.headers.get("content-disposition").split("''")[1]);
  return { name, type: response.headers.get("content-type"), content: await response.blob() };
}

/** Request an answer; a slow one is streamed with progress and partial answers. */
export async function request(path, body, /** @type {{ onProgress?: Function, onPartial?: Function }} */ { onProgress, onPartial } = {}) {
  const response = await post(path, body);
  if (!response.ok) throw await errorOf(response);
  if (response.headers.get("content-type").split(";")[0] === "application/json") {
    const answer = await response.json();
    if (answer.replaced) throw new RequestError(409, "replaced");
    return answer;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let unfinishedLine = "";
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    const lines = (unfinishedLine + (value ?? "")).split("\n");
    unfinishedLine = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const message = JSON.parse(line);
      if (message.error) throw new RequestError(message.status, message.error);
      if (message.answer) return message.answer;
      if (message.part) onPartial?.(message.part);
      else onProgress?.(message.done, message.total);
    }
    if (done) throw new RequestError(0, "the answer was cut off; is combinat studio still running?");
  }
}

const RETRY_DELAY = 1500; // milliseconds before a request that the server could not handle is sent again
const REPLACE_DELAY = 120; // milliseconds that a running request gets before a newer one replaces it

/** Sends requests of one kind and shows the newest answer; a request that waits is dropped for a newer one. */
export class LatestRequest {
  constructor(path, show, fail, onProgress = null) {
    this.path = path;
    this.show = show;
    this.fail = fail;
    this.onProgress = onProgress;
    this.sentNumber = 0;
    this.shownNumber = 0;
    this.runningCount = 0;
    this.sentTime = 0;
    this.waitingBody = null;
  }

  send(body) {
    // Most answers arrive before the next key is pressed; only slower requests are replaced while they run.
    const age = performance.now() - this.sentTime;
    if (this.runningCount && age < REPLACE_DELAY) {
      if (!this.waitingBody) setTimeout(() => this.waitingBody && this.sendNow(this.waitingBody), REPLACE_DELAY - age);
      this.waitingBody = body;
    } else this.sendNow(body);
  }

  async sendNow(body) {
    const number = ++this.sentNumber;
    const isNewest = () => number === this.sentNumber;
    this.waitingBody = null;
    this.runningCount += 1;
    this.sentTime = performance.now();
    const startTime = this.sentTime;
    const showPartial = (answer) => isNewest() && number > this.shownNumber && this.show(answer, body, startTime);
    try {
      const answer = await request(this.path, body, {
        onProgress: (done, total) => isNewest() && this.onProgress?.(done, total),
        onPartial: (partial) => pointerReleased().then(() => showPartial(partial)),
      });
      await pointerReleased();
      if (number > this.shownNumber) {
        this.shownNumber = number;
        this.show(answer, body, startTime);
      }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (!isNewest()) return;
      const isReplaced = error.status === 409; // an older request arrived later, over another connection
      if (!isReplaced) this.fail(error, body);
      const shouldRetry = isReplaced || [0, 408, 503].includes(error.status);
      if (shouldRetry) setTimeout(() => isNewest() && this.sendNow(body), RETRY_DELAY);
    } finally {
      this.runningCount -= 1;
      if (this.waitingBody && !this.runningCount) this.sendNow(this.waitingBody);
    }
  }
}
