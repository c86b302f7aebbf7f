package io.flinkgpu.text.views;

/** {@code +}, a space. */
final class PlusDecoder extends Decoder {

    @Override
    boolean isTrigger(int unsignedByte) {
        return unsignedByte == '+';
    }

    @Override
    int decode(byte[] text, int at, int end) {
        put(' ');
        return 1;
    }
}
