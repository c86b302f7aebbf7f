package io.flinkgpu.text.views;

/** {@code %hh}, a byte (RFC 3986 section 2.1). */
final class PercentDecoder extends Decoder {

    @Override
    boolean isTrigger(int unsignedByte) {
        return unsignedByte == '%';
    }

    @Override
    int decode(byte[] text, int at, int end) {
        int value = hex(text, at + 1, 2, end);
        if (value < 0) {
            return -1;
        }
        put(value);
        return 3;
    }
}
