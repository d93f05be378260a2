"""What is in PNG files, and PNG files that are changed by one pixel, as a machine that computes wrongly would have written them."""
import json
import struct
import zlib


def chunks_of(data):
    chunks, at = [], 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunks.append((kind, data[at + 8:at + 8 + length]))
        at += 12 + length
    return chunks


def without_values(data):
    """What is in a PNG file, or in the JSON file of a sequence, but for the list of the values that were typed. The recipe is what they made."""
    if data[:1] == b"{":
        return {**json.loads(data), "values": None}
    return [chunk for chunk in chunks_of(data) if not chunk[1].startswith(b"etalon:values\0")]


def with_another_pixel(data):
    """The bytes of a PNG file of 8 bits with another first pixel, and everything else as it was."""
    chunks = chunks_of(data)
    pixels = bytearray(zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT")))
    # Behind the byte that says how the row is filtered.
    pixels[1] ^= 0x10
    first = next(place for place, (kind, _) in enumerate(chunks) if kind == b"IDAT")
    rest = [chunk for chunk in chunks if chunk[0] != b"IDAT"]
    chunks = [*rest[:first], (b"IDAT", zlib.compress(bytes(pixels))), *rest[first:]]
    return data[:8] + b"".join(struct.pack(">I4s", len(body), kind) + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks)
