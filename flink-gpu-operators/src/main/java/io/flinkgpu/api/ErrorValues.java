package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Writes values of records into messages, as much of them as the {@link ErrorDetail} lets out: the only
 * place that does. Immutable; travels in the job graph, with the key of its hashes, so it has no {@code
 * toString} that tells more than the detail.
 */
@Internal
public final class ErrorValues implements Serializable {

    /** Shows nothing. */
    public static final ErrorValues HIDDEN = new ErrorValues(ErrorDetail.NONE, null);

    private static final long serialVersionUID = 1L;

    private static final int MAX_CHARS = 80;
    private static final int KEY_BYTES = 32;
    private static final int HASH_BYTES = 6;
    private static final String MAC = "HmacSHA256";

    /** More causes than an exception has that is not made to have many. */
    private static final int MAX_CAUSES = 32;

    private final ErrorDetail detail;

    /** Null unless values are hashed. */
    private final byte[] key;

    private ErrorValues(ErrorDetail detail, byte[] key) {
        this.detail = detail;
        this.key = key;
    }

    /** Values with this detail; hashes have a key of their own, so no other job's are like them. */
    public static ErrorValues of(ErrorDetail detail) {
        if (detail != ErrorDetail.HASHED) {
            return new ErrorValues(detail, null);
        }
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new ErrorValues(detail, key);
    }

    public ErrorDetail detail() {
        return detail;
    }

    /** A value, which may be null. */
    public String shown(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof byte[] bytes) {
            return detail == ErrorDetail.FULL
                    ? Excerpt.of("0x" + HexFormat.of().formatHex(bytes), MAX_CHARS)
                    : hidden("byte[] of length " + bytes.length, bytes);
        }
        if (detail == ErrorDetail.FULL) {
            return Excerpt.of(value.toString(), MAX_CHARS);
        }
        String length = value instanceof CharSequence text ? " of length " + text.length() : "";
        return hidden(
                className(value) + length,
                detail == ErrorDetail.HASHED
                        ? value.toString().getBytes(StandardCharsets.UTF_8)
                        : null);
    }

    /**
     * Text of a line, {@code bytes[from, to)}.
     *
     * @param maxChars how much of it is shown at most
     */
    public String shown(byte[] bytes, int from, int to, int maxChars) {
        if (detail == ErrorDetail.FULL) {
            return "'" + Excerpt.of(bytes, from, to, maxChars) + "'";
        }
        return hidden(
                "text of length " + (to - from),
                detail == ErrorDetail.HASHED ? Arrays.copyOfRange(bytes, from, to) : null);
    }

    /** An exception that a function of the user threw: its class, and its message as a value. */
    public String thrown(Throwable thrown) {
        String name = thrown.getClass().getName();
        if (detail == ErrorDetail.FULL) {
            return Excerpt.of(thrown.toString(), MAX_CHARS + name.length());
        }
        return thrown.getMessage() == null ? name : name + " " + shown(thrown.getMessage());
    }

    /**
     * What an error has as its cause: the exception itself, or one with its stack trace and causes that
     * has no message of theirs, as that may have a value in it.
     */
    public Throwable cause(Throwable thrown) {
        return detail == ErrorDetail.FULL ? thrown : hidden(thrown, MAX_CAUSES);
    }

    /** How to see what is hidden, as the end of an error; empty if nothing is. */
    public String remedy() {
        return detail == ErrorDetail.FULL
                ? ""
                : "; GpuOptions.withErrorDetail(ErrorDetail.FULL) shows what is hidden";
    }

    private HiddenException hidden(Throwable thrown, int moreCauses) {
        Throwable cause = moreCauses == 0 ? null : thrown.getCause();
        HiddenException copy =
                new HiddenException(
                        thrown(thrown), cause == null ? null : hidden(cause, moreCauses - 1));
        copy.setStackTrace(thrown.getStackTrace());
        return copy;
    }

    private String hidden(String kind, byte[] content) {
        return detail == ErrorDetail.NONE
                ? "(hidden: " + kind + ")"
                : "(hidden: " + kind + ", hash " + hash(content) + ")";
    }

    private String hash(byte[] content) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return HexFormat.of().formatHex(mac.doFinal(content), 0, HASH_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + MAC + "; use one that has", e);
        }
    }

    private static String className(Object value) {
        String name = value.getClass().getSimpleName();
        return name.isEmpty() ? value.getClass().getName() : name;
    }

    @Override
    public String toString() {
        return "ErrorValues[" + detail + "]";
    }

    /** Stands for an exception whose message is hidden. */
    private static final class HiddenException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        HiddenException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
