package io.flinkgpu.source;

import org.apache.flink.core.fs.BlockLocation;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableWriter;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.IOException;
import java.net.URI;

/** The local files under the scheme {@code other}, which reads give in small pieces. */
public final class OtherFileSystem extends FileSystem {

    private static final URI ROOT = URI.create("other:///");
    private static final int MAX_READ_BYTES = 997;

    /** A folder whose files have the same paths wherever it is. */
    private static final String FIXED = "/fixed";

    private static volatile String fixedFolder;

    private final FileSystem local = LocalFileSystem.getSharedInstance();

    /** The same file by the other scheme. */
    public static Path path(java.nio.file.Path file) {
        return new Path("other", null, file.toAbsolutePath().toString());
    }

    /** The path of a folder that is the same for every folder; the last one that was given has it. */
    public static Path fixedPath(java.nio.file.Path folder) {
        fixedFolder = folder.toAbsolutePath().toString();
        return new Path("other", null, FIXED);
    }

    @Override
    public URI getUri() {
        return ROOT;
    }

    @Override
    public boolean isDistributedFS() {
        return true;
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
        return new PiecewiseStream(local.open(toLocal(path)));
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return open(path);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return new OtherStatus(local.getFileStatus(toLocal(path)));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        FileStatus[] found = local.listStatus(toLocal(path));
        FileStatus[] result = found == null ? null : new FileStatus[found.length];
        for (int i = 0; found != null && i < found.length; i++) {
            result[i] = new OtherStatus(found[i]);
        }
        return result;
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length)
            throws IOException {
        return new BlockLocation[0];
    }

    @Override
    public Path getWorkingDirectory() {
        return toOther(local.getWorkingDirectory());
    }

    @Override
    public Path getHomeDirectory() {
        return toOther(local.getHomeDirectory());
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return local.delete(toLocal(path), recursive);
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        return local.mkdirs(toLocal(path));
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode overwrite) throws IOException {
        return local.create(toLocal(path), overwrite);
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return local.rename(toLocal(from), toLocal(to));
    }

    @Override
    public RecoverableWriter createRecoverableWriter() {
        throw new UnsupportedOperationException("for reading only");
    }

    private static Path toLocal(Path path) {
        String text = path.toUri().getPath();
        return new Path(
                "file",
                null,
                text.startsWith(FIXED) ? fixedFolder + text.substring(FIXED.length()) : text);
    }

    private static Path toOther(Path path) {
        String text = path.toUri().getPath();
        return new Path(
                "other",
                null,
                fixedFolder != null && text.startsWith(fixedFolder)
                        ? FIXED + text.substring(fixedFolder.length())
                        : text);
    }

    /** Found by Flink through the service file of the tests. */
    public static final class Factory implements FileSystemFactory {

        @Override
        public String getScheme() {
            return "other";
        }

        @Override
        public FileSystem create(URI uri) {
            return new OtherFileSystem();
        }
    }

    private record OtherStatus(FileStatus file) implements FileStatus {

        @Override
        public long getLen() {
            return file.getLen();
        }

        @Override
        public long getBlockSize() {
            return file.getBlockSize();
        }

        @Override
        public short getReplication() {
            return file.getReplication();
        }

        @Override
        public long getModificationTime() {
            return file.getModificationTime();
        }

        @Override
        public long getAccessTime() {
            return file.getAccessTime();
        }

        @Override
        public boolean isDir() {
            return file.isDir();
        }

        @Override
        public Path getPath() {
            return toOther(file.getPath());
        }
    }

    private static final class PiecewiseStream extends FSDataInputStream {

        private final FSDataInputStream in;

        PiecewiseStream(FSDataInputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            return in.read(target, from, Math.min(length, MAX_READ_BYTES));
        }

        @Override
        public void seek(long position) throws IOException {
            in.seek(position);
        }

        @Override
        public long getPos() throws IOException {
            return in.getPos();
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
