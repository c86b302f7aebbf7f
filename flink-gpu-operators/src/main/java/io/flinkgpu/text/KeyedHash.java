package io.flinkgpu.text;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.HashKey;

import org.apache.flink.annotation.Internal;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.security.GeneralSecurityException;

/** HMAC-SHA-256 (RFC 2104, FIPS 180-4) in lower-case hex. Not thread-safe. */
@Internal
public final class KeyedHash {

    /** Hex digits of a whole hash. */
    public static final int HEX_DIGITS = 64;

    private static final String MAC = "HmacSHA256";

    private final Mac mac;
    private final byte[] digest = new byte[HEX_DIGITS / 2];

    /**
     * @throws IllegalArgumentException when the key has fewer than {@link HashKey#MIN_BYTES} bytes
     */
    public KeyedHash(byte[] key) {
        if (key.length < HashKey.MIN_BYTES) {
            throw Errors.argument(
                    "a keyed hash needs a key of at least %s bytes: keyBytes=%s; give a HashKey",
                    HashKey.MIN_BYTES, key.length);
        }
        try {
            mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + MAC + "; use one that has", e);
        }
    }

    /** Writes the first digits of the hash of {@code bytes[from, to)} to a place in an array. */
    public void write(byte[] bytes, int from, int to, int hexDigits, byte[] target, int at) {
        mac.update(bytes, from, to - from);
        try {
            mac.doFinal(digest, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(MAC + " does not fit " + digest.length + " bytes", e);
        }
        for (int i = 0; i < hexDigits; i++) {
            int nibble = digest[i >> 1] >> (4 - 4 * (i & 1)) & 0xf;
            target[at + i] = (byte) Character.forDigit(nibble, 16);
        }
    }
}
