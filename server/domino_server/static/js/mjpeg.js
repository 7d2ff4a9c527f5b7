// Motion JPEG that needs a token: the parts of a multipart stream as pictures, one after the other.

const HEAD_MOST = 1000;
const LENGTH = /content-length: (\d+)/i;

/** Yield the pictures of a stream until it ends; whoever stops asking ends it. @param {ReadableStream<Uint8Array>} stream */
export async function* pictures(stream) {
  const reader = stream.getReader();
  let held = new Uint8Array(0);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      held = joined(held, value);
      for (let part = firstPart(held); part; part = firstPart(held)) {
        held = held.slice(part.end);
        yield part.picture;
      }
    }
  } finally {
    reader.cancel().catch(() => null);
  }
}

/** @param {Uint8Array} one @param {Uint8Array} other */
function joined(one, other) {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** The first picture of what came, once it is whole. @param {Uint8Array} bytes */
function firstPart(bytes) {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_MOST));
  const start = head.indexOf("\r\n\r\n") + 4;
  const end = start + Number(LENGTH.exec(head)?.[1] ?? Infinity);
  if (start < 4 || bytes.length < end) return null;
  return { picture: new Blob([bytes.slice(start, end)], { type: "image/jpeg" }), end: end + 2 };
}
