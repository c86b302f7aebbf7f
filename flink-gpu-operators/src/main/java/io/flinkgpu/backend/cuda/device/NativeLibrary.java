package io.flinkgpu.backend.cuda.device;

import jcuda.driver.JCudaDriver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * JCuda's native library, which is code that runs in this process. JCuda unpacks it into the folder {@code
 * java.io.tmpdir} under a name that everybody knows, and loads what is there if there is something: a
 * file that another user put there, or that a killed process left half written. So it is unpacked here,
 * into a folder that is new and this user's alone, and JCuda finds it there.
 */
final class NativeLibrary {

    static final String RESOURCE = "/lib/libJCudaDriver-12.6.0-linux-x86_64.so";

    /** Of the library in org.jcuda:jcuda-natives:12.6.0:linux-x86_64. */
    static final String SHA_256 =
            "fdc3b4b4fca4f0fab54ff12c0b4d6ad1c5e8d55015b4950834c705e5db301255";

    private static final String TEMPORARY = "java.io.tmpdir";

    private NativeLibrary() {}

    /**
     * Loads JCuda's classes, and the library with them, if no one has yet. While they load, the system
     * property {@code java.io.tmpdir} names the new folder, as JCuda reads it and nothing else.
     *
     * @throws IOException if the library cannot be unpacked, or is another one than expected
     * @throws LinkageError if it cannot be loaded, for example as there is no driver
     */
    static synchronized void load() throws IOException {
        // With the owner's rights alone.
        Path folder = Files.createTempDirectory("flinkgpu-native");
        try {
            unpack(folder);
            String before = System.setProperty(TEMPORARY, folder.toString());
            try {
                JCudaDriver.setExceptionsEnabled(false);
            } finally {
                System.setProperty(TEMPORARY, before);
            }
        } finally {
            delete(folder);
        }
    }

    private static void unpack(Path folder) throws IOException {
        try (InputStream library = NativeLibrary.class.getResourceAsStream(RESOURCE)) {
            if (library == null) {
                throw new IOException(
                        "no native library of JCuda: "
                                + RESOURCE
                                + " is not on the class path; add org.jcuda:jcuda-natives:12.6.0,"
                                + " classifier linux-x86_64");
            }
            byte[] bytes = library.readAllBytes();
            requireExpected(bytes);
            Files.write(folder.resolve(RESOURCE.substring(RESOURCE.lastIndexOf('/') + 1)), bytes);
        }
    }

    static void requireExpected(byte[] library) throws IOException {
        String found = sha256(library);
        if (!found.equals(SHA_256)) {
            throw new IOException(
                    "the native library of JCuda is not that of version 12.6.0: sha256="
                            + found
                            + "; leave one jcuda-natives on the class path, of that version");
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** What is loaded stays so without its file. */
    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
